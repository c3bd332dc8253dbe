package dev.parley.domain.turn;

/** What stands on {@code model-requests}. */
public sealed interface ModelWork permits ModelRequest, CancelCall {}
