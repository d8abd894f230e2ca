"""The pages for readers: what of them is made from the code, and what holds the rest to it."""
