package dev.parley.tools.files;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The change of a file by a step of a turn.
 *
 * @param from version before the step; 0 for a new file
 * @param before SHA-256 before the step; null for a new file
 * @param after SHA-256 after the step; null if it deleted the file
 */
public record FileChange(
        int step,
        UUID file,
        String path,
        int from,
        int to,
        @Nullable String before,
        @Nullable String after) {}
