package dev.parley.domain.protocol;

import java.util.UUID;

/** Cancels a call whose result is no longer needed. Best effort: the worker stops and returns what it has. */
public record CancelCall(UUID callId) implements ModelWork, ToolWork {}
