package dev.parley.domain.definition;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Limits of the tools that a caller passes with a turn. They are part of the session's state for the duration of the
 * turn.
 */
public final class CallerTools {
    /** Maximum tools of one turn. */
    public static final int MAX_TOOLS = 64;

    /** Maximum characters of one tool: name, description and schema together. */
    public static final int MAX_LENGTH = 32 * 1024;

    /** Maximum characters of all tools of a turn. */
    public static final int HEAVIEST = 128 * 1024;

    /** Maximum characters of a call's result. */
    public static final int MAX_RESULT_LENGTH = 64 * 1024;

    /** Tool names accepted by model providers. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    private CallerTools() {}

    /**
     * @throws IllegalArgumentException with the reason if the tools are invalid
     */
    public static void check(List<ToolSpec> tools) {
        require(tools.size() <= MAX_TOOLS, "a turn has at most %d tools of its caller".formatted(MAX_TOOLS));
        Set<String> names = new HashSet<>();
        for (ToolSpec tool : tools) {
            require(NAME.matcher(tool.name()).matches(), "the name of a tool has 1 to 64 letters, digits, _ and -");
            require(
                    tool.weight() <= MAX_LENGTH,
                    "the tool '%s' has more than %,d characters".formatted(tool.name(), MAX_LENGTH));
            require(names.add(tool.name()), "there are two tools '%s'".formatted(tool.name()));
            require(
                    tool.version().equals(ToolSpec.OF_CALLER),
                    "the tool '%s' is none of a caller".formatted(tool.name()));
            require(
                    !ToolSpec.OWN.contains(tool.name()) && !ToolSpec.OF_MACHINE.contains(tool.name()),
                    "no other tool may be called '%s'".formatted(tool.name()));
        }
        require(
                tools.stream().mapToInt(ToolSpec::weight).sum() <= HEAVIEST,
                "the tools of a turn have at most %,d characters together".formatted(HEAVIEST));
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }
}
