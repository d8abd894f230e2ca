"""Random operations of a team, with faults and kills, and what must hold whatever happens."""
