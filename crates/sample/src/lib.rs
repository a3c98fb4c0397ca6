//! A believable library of any size, made from a seed: the catalogue, the shelves, the patrons, the desk's rules.
