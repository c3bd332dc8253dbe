package dev.parley.domain.memory.prompt;

import dev.parley.domain.Sha256;
import org.jspecify.annotations.Nullable;

/**
 * A prompt.
 *
 * @param system instructions, written by Parley and the bank's administrators only
 * @param user the data to work on
 */
public record Prompt(String system, String user) {
    /**
     * The instructions for work on delimited data.
     *
     * @param mission purpose of the bank, written by its administrator, or null
     */
    public static String system(String task, @Nullable String mission) {
        return task + "\n" + PromptDelimiter.RULE + "\n"
                + (mission == null || mission.isBlank() ? "" : "\nWhat this memory is for:\n" + mission.strip() + "\n");
    }

    /** SHA-256 of the prompt. */
    public String digest() {
        return Sha256.hex(system + "\u0001" + user);
    }
}
