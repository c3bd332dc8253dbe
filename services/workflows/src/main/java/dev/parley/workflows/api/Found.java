package dev.parley.workflows.api;

import dev.parley.workflows.json.Json;
import java.time.Instant;
import java.util.UUID;

/**
 * A process or task as JSON, with its position in a list.
 *
 * @param projectKey key of its project
 */
record Found(UUID id, String projectKey, Instant startedAt, Json json) {}
