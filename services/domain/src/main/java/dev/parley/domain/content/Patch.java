package dev.parley.domain.content;

import org.jspecify.annotations.Nullable;

/**
 * What a tool call made of a file of the project's workspace.
 *
 * @param from version before it; 0 where there was none
 * @param before SHA-256 before it; null where there was no file
 * @param after SHA-256 after it; null where it deleted the file
 */
public record Patch(
        String path,
        int from,
        int to,
        @Nullable String before,
        @Nullable String after) {}
