package dev.parley.channels.chat.markup;

import java.util.SplittableRandom;
import java.util.function.Supplier;

/** Writes Markdown as no model does: everything nested in everything, in all scripts, much of it broken or hostile. */
final class RandomMarkdown {
    private static final String[] WORDS = {
        "word",
        "Слово",
        "語言",
        "日本語のテキスト",
        "한국어",
        "שלום",
        "مرحبا",
        "नमस्ते",
        "ไทย",
        "é",
        "e\u0301",
        "A\u030A",
        "x\u030A",
        "👍",
        "👍🏽",
        "👨‍👩‍👧‍👦",
        "🇩🇪🇫🇷",
        "❤️",
        "𝔘𝔫𝔦",
        "a\u200Bb",
        "\u202Eabc\u202C",
        "\u2066iso\u2069",
        "\u200E\u200F\u200E",
        "\u2028x",
        "README.md",
        "src/main.rs",
        "x.org",
        "@someone",
        "#tag",
        "/start",
        "$USD",
        "+1 234 567 89 01",
        "1.2.3.4",
        "https://x.org/a_b?c=d&e=f",
        "a@b.org",
        "<",
        ">",
        "&",
        "\"",
        "&lt;",
        "&#x202e;",
        "&#0;",
        "&#xD83D;&#xDE00;",
        "&#xD800;",
        "&nbsp;",
        "<b>",
        "</b>",
        "<br>",
        "<a href=\"tg://user?id=1\">",
        "</a>",
        "<!--",
        "-->",
        "<script>",
        "<pre>",
        "</code>",
        "\uD83D",
        "\uDE00",
        "\u0000",
        "\u0007",
        "\t",
        "\\*",
        "\\",
        "`",
        "``",
        "*",
        "**",
        "_",
        "~~",
        "[",
        "]",
        "](",
        "![",
        "|",
        "$x^2$"
    };
    private static final String[] ADDRESSES = {
        "https://x.org",
        "https://x.org/?q=\"'<>&",
        "http://localhost",
        "javascript:alert(1)",
        "tg://user?id=1",
        "mailto:a@b.org",
        "tel:+123",
        "docs/a.md",
        "#part",
        "",
        "data:text/plain,x",
        "<https://x.org/a b>",
        "https://語.org/é"
    };
    private static final String[] LANGUAGES = {"", "java", "c++", "\"><b>", "python title=x", "語", "~"};

    private final SplittableRandom random;

    RandomMarkdown(long seed) {
        random = new SplittableRandom(seed);
    }

    String document() {
        int blocks = oneIn(300) ? 60 : 1 + random.nextInt(4);
        return repeat(blocks, "", () -> block(oneIn(2) ? 3 : 1) + (oneIn(12) ? "\n" : "\n\n"));
    }

    private boolean oneIn(int number) {
        return random.nextInt(number) == 0;
    }

    private static String repeat(int count, String between, Supplier<String> piece) {
        var text = new StringBuilder();
        for (int number = 0; number < count; number++) {
            text.append(number == 0 ? "" : between).append(piece.get());
        }
        return text.toString();
    }

    private String block(int depth) {
        return switch (random.nextInt(depth > 0 ? 13 : 7)) {
            case 0, 1, 2 -> inlines(3, 1 + random.nextInt(8));
            case 3 -> "#".repeat(1 + random.nextInt(7)) + " " + inlines(2, 4);
            case 4 -> code();
            case 5 -> table();
            case 6 -> oneIn(2) ? "---" : huge();
            case 7, 8 -> indented(depth, "> ", "> ");
            case 9 -> repeat(1 + random.nextInt(4), oneIn(4) ? "\n\n" : "\n", () -> indented(depth, bullet(), "  "));
            case 10 -> repeat(1 + random.nextInt(4), "\n", () -> indented(depth, random.nextInt(99) + ". ", "    "));
            case 11 -> "<div>\n" + inlines(1, 3) + "\n</div>";
            default -> block(depth - 1) + "\n" + block(depth - 1);
        };
    }

    private String bullet() {
        return switch (random.nextInt(4)) {
            case 0 -> "- [ ] ";
            case 1 -> "- [x] ";
            default -> "- ";
        };
    }

    private String indented(int depth, String first, String continuation) {
        return first + block(depth - 1).replace("\n", "\n" + continuation);
    }

    private String code() {
        String lines = repeat(lines(), "\n", () -> repeat(random.nextInt(8), oneIn(5) ? "\t" : " ", this::word));
        if (oneIn(4)) {
            return "    " + lines.replace("\n", "\n    ");
        }
        String language = LANGUAGES[random.nextInt(LANGUAGES.length)];
        return "```" + language + "\n" + lines + (oneIn(8) ? "" : "\n```");
    }

    private int lines() {
        return oneIn(300) ? 600 : random.nextInt(oneIn(10) ? 100 : 8);
    }

    private String table() {
        int columns = 1 + random.nextInt(4);
        Supplier<String> row =
                () -> repeat(columns, "|", () -> inlines(1, random.nextInt(4)).replace("\n", " "));
        return "|" + row.get() + "|\n|" + repeat(columns, "|", () -> oneIn(2) ? "-" : ":-:") + "|\n"
                + repeat(oneIn(300) ? 400 : random.nextInt(6), "\n", () -> "|" + row.get() + "|");
    }

    /** A word that is too long for any message. */
    private String huge() {
        return oneIn(8) ? word().strip().repeat(random.nextInt(4000)) : word();
    }

    private String inlines(int depth, int count) {
        return repeat(count, oneIn(8) ? "" : " ", () -> inline(depth));
    }

    private String inline(int depth) {
        return switch (random.nextInt(depth > 0 ? 14 : 7)) {
            case 0, 1, 2, 3, 4 -> word();
            case 5 -> "plain words of a text.";
            case 6 -> oneIn(3) ? "  \n" : "\n";
            case 7 -> "**" + inlines(depth - 1, 3) + "**";
            case 8 -> "*" + inlines(depth - 1, 2) + "*";
            case 9 -> "~~" + inlines(depth - 1, 2) + "~~";
            case 10 -> "`" + inlines(depth - 1, 2) + "`";
            case 11, 12 -> "[" + inlines(depth - 1, 2) + "](" + ADDRESSES[random.nextInt(ADDRESSES.length)] + ")";
            default -> "![" + inlines(depth - 1, 1) + "](" + ADDRESSES[random.nextInt(ADDRESSES.length)] + ")";
        };
    }

    private String word() {
        return WORDS[oneIn(3) ? random.nextInt(WORDS.length) : random.nextInt(24)];
    }
}
