package dev.parley.domain.content;

import org.jspecify.annotations.Nullable;

/**
 * A change to a file of the project's workspace, made by a tool call.
 *
 * @param from previous version; 0 if the file is new
 * @param before previous SHA-256; null if the file is new
 * @param after new SHA-256; null if the file was deleted
 */
public record Patch(
        String path,
        int from,
        int to,
        @Nullable String before,
        @Nullable String after) {}
