"""The one door to git: ``refs`` reads ref files, ``run`` runs the executable, ``objects`` asks it for objects."""
