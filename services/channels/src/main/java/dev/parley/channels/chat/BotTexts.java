package dev.parley.channels.chat;

import java.util.List;
import java.util.Locale;
import java.util.ResourceBundle;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Texts of the bot itself in the language of the user: the files {@code words*.properties}. */
public final class BotTexts {
    /** Supported languages besides English, the default. */
    public static final List<String> LANGUAGES = List.of("de", "es", "fr");

    private static final ResourceBundle.Control EXACT =
            ResourceBundle.Control.getNoFallbackControl(ResourceBundle.Control.FORMAT_PROPERTIES);

    private static final Pattern COMMAND =
            Pattern.compile("(?<![\\w/])/(?=(?:" + String.join("|", ChatCommands.ALL) + ")\\b)");

    private final ResourceBundle bundle;
    private final String slash;

    private BotTexts(Locale locale, String slash) {
        this.slash = slash;
        this.bundle = ResourceBundle.getBundle("dev.parley.channels.chat.words", locale, EXACT);
    }

    /** @param language an IETF tag, or null */
    public static BotTexts in(@Nullable String language) {
        return in(language, "/");
    }

    /** @param slash prefix of commands on the platform */
    public static BotTexts in(@Nullable String language, String slash) {
        String code = language == null ? "" : Locale.forLanguageTag(language).getLanguage();
        return new BotTexts(LANGUAGES.contains(code) ? Locale.of(code) : Locale.ROOT, slash);
    }

    /** The text with this name, formatted with these values. */
    public String format(String name, Object... values) {
        return commands(bundle.getString(name)).formatted(values);
    }

    private String commands(String text) {
        return slash.equals("/") ? text : COMMAND.matcher(text).replaceAll(Matcher.quoteReplacement(slash));
    }

    /** A command as users type it. */
    String command(String name) {
        return slash + name;
    }
}
