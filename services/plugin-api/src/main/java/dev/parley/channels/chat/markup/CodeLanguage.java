package dev.parley.channels.chat.markup;

import java.util.Locale;
import java.util.Map;

/**
 * The language of a code block.
 *
 * @param name without characters that have a meaning in markup
 */
record CodeLanguage(String name) {
    private static final int MOST = 32;

    private static final Map<String, String> ENDINGS = Map.ofEntries(
            Map.entry("bash", "sh"),
            Map.entry("c#", "cs"),
            Map.entry("c++", "cpp"),
            Map.entry("csharp", "cs"),
            Map.entry("javascript", "js"),
            Map.entry("kotlin", "kt"),
            Map.entry("markdown", "md"),
            Map.entry("python", "py"),
            Map.entry("ruby", "rb"),
            Map.entry("rust", "rs"),
            Map.entry("shell", "sh"),
            Map.entry("typescript", "ts"),
            Map.entry("yaml", "yml"));

    /** The language of a fence. */
    static CodeLanguage of(String info) {
        String firstWord = info.strip().split("[\\s,{:]", 2)[0];
        String name = firstWord.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9+#.-]", "");
        return new CodeLanguage(name.substring(0, Math.min(MOST, name.length())));
    }

    /** The extension of its files. */
    String ending() {
        String extension = ENDINGS.getOrDefault(name, name);
        return extension.matches("[a-z0-9]{1,10}") ? extension : "txt";
    }
}
