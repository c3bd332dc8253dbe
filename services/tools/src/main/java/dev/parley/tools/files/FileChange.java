package dev.parley.tools.files;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a step of a turn made of a file.
 *
 * @param from version before the step; 0 where there was none
 * @param before SHA-256 before the step; null where there was no file
 * @param after SHA-256 after it; null where it deleted the file
 */
public record FileChange(
        int step,
        UUID file,
        String path,
        int from,
        int to,
        @Nullable String before,
        @Nullable String after) {}
