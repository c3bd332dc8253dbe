package dev.parley.domain.protocol;

import java.time.Instant;
import java.util.UUID;

/** A pending approval of a tool call. */
public record Approval(UUID approvalId, Instant askedAt, Instant expiresAt) {}
