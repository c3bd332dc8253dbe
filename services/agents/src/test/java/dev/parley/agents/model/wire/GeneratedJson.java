package dev.parley.agents.model.wire;

import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Random JSON texts with everything in them that a parser and a printer would change. */
public final class GeneratedJson {
    private static final String[] NUMBERS = {
        "0", "-0", "1.0", "1.10", "1e2", "1E+2", "9007199254740993", "0.1000000000000000055511151231257827"
    };
    private static final String[] PIECES = {
        "a", "é", "\\u00e9", "\\/", "/", "😀", "\\ud83d\\ude00", "\\ud83d", "\\u0000", "\\n", "\\\"", " "
    };

    private final Random random;

    /** The same random numbers make the same texts. */
    public GeneratedJson(Random random) {
        this.random = random;
    }

    /** Any value, at most so deep. */
    public String value(int depth) {
        return switch (random.nextInt(depth > 0 ? 7 : 5)) {
            case 0 -> "null";
            case 1 -> random.nextBoolean() ? "true" : "false";
            case 2 -> NUMBERS[random.nextInt(NUMBERS.length)];
            case 3, 4 -> string();
            case 5 ->
                IntStream.range(0, random.nextInt(4))
                        .mapToObj(_ -> space() + value(depth - 1) + space())
                        .collect(Collectors.joining(",", "[", "]"));
            default -> "{" + members(depth) + "}";
        };
    }

    /** The members of an object, without its braces; some keys come twice. */
    public String members(int depth) {
        return IntStream.range(0, random.nextInt(4))
                .mapToObj(_ -> space() + "\"x" + random.nextInt(3) + "\"" + space() + ":" + space() + value(depth - 1))
                .collect(Collectors.joining(","));
    }

    /** A string with its quotes. */
    public String string() {
        return IntStream.range(0, random.nextInt(6))
                .mapToObj(_ -> PIECES[random.nextInt(PIECES.length)])
                .collect(Collectors.joining("", "\"", "\""));
    }

    private String space() {
        return random.nextInt(4) == 0 ? " " : "";
    }
}
