"""The wheel and the source archive, installed into empty environments and used there."""
