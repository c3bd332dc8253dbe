package dev.parley.domain.memory.prompt;

import dev.parley.domain.Sha256;

/**
 * A prompt.
 *
 * @param system instructions, written by Parley and the bank's administrators only
 * @param user the data to work on
 */
public record Prompt(String system, String user) {
    /** SHA-256 of the prompt. */
    public String digest() {
        return Sha256.hex(system + "\u0001" + user);
    }
}
