"""No mechanism of its own: every answerer of this set says what its file says."""
