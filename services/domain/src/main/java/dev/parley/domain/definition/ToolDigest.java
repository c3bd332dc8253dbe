package dev.parley.domain.definition;

import dev.parley.domain.Sha256;

/**
 * Reference to a tool shown to a model, without its text, which readers look up in the definitions.
 *
 * @param place index in the list of tools shown to the model, from 0
 * @param version empty for a built-in tool
 * @param digest see {@link #digest(ToolSpec)}
 */
public record ToolDigest(int place, String name, String version, String digest) {
    private static final int DIGITS = 32;

    /** The first 32 hexadecimal digits of the SHA-256 of name, description and parameters, separated by zero bytes. */
    public static String digest(ToolSpec tool) {
        return Sha256.hex(String.join("\0", tool.name(), tool.description(), tool.parameters()))
                .substring(0, DIGITS);
    }
}
