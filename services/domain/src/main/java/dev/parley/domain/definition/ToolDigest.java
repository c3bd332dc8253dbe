package dev.parley.domain.definition;

import dev.parley.domain.Sha256;

/**
 * A tool that a model is shown, without its text: whoever follows the definitions has that.
 *
 * @param place in the list of all tools that the model is shown, from 0
 * @param version empty for one that comes with a program
 * @param digest see {@link #digest(ToolSpec)}
 */
public record ToolDigest(int place, String name, String version, String digest) {
    private static final int DIGITS = 32;

    /** The first 32 hexadecimal digits of the SHA-256 of name, description and parameters, with a zero byte between them. */
    public static String digest(ToolSpec tool) {
        return Sha256.hex(String.join("\0", tool.name(), tool.description(), tool.parameters()))
                .substring(0, DIGITS);
    }
}
