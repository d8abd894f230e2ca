"""The one door to GitLab: ``locate`` finds the project, ``connection`` sends requests, ``gitlab`` knows which."""
