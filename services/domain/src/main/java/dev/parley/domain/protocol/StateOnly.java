package dev.parley.domain.protocol;

/** An event that changes the state of its session only: it stands on no topic, and has no subject in a registry. */
public interface StateOnly {}
