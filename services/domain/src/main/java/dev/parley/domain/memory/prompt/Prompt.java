package dev.parley.domain.memory.prompt;

import dev.parley.domain.Sha256;

/**
 * What a model is asked.
 *
 * @param system what it is to do: written by Parley and by those who may set up the bank, by nobody else
 * @param user what it is to do it with
 */
public record Prompt(String system, String user) {
    /** SHA-256 of what the model is told. */
    public String digest() {
        return Sha256.hex(system + "\u0001" + user);
    }
}
