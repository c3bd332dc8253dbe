package dev.parley.channels.chat;

import java.util.List;
import java.util.Locale;
import java.util.ResourceBundle;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What the bot itself says, in the language of whoever it talks to: the files {@code words*.properties}. */
public final class BotTexts {
    /** Besides English, which is said to everybody else. */
    public static final List<String> LANGUAGES = List.of("de", "es", "fr");

    private static final ResourceBundle.Control EXACT =
            ResourceBundle.Control.getNoFallbackControl(ResourceBundle.Control.FORMAT_PROPERTIES);

    private static final Pattern COMMAND =
            Pattern.compile("(?<![\\w/])/(?=(?:" + String.join("|", Commands.ALL) + ")\\b)");

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

    /** @param slash what stands before the name of a command on the platform */
    public static BotTexts in(@Nullable String language, String slash) {
        String code = language == null ? "" : Locale.forLanguageTag(language).getLanguage();
        return new BotTexts(LANGUAGES.contains(code) ? Locale.of(code) : Locale.ROOT, slash);
    }

    /** The words with this name, with these in them. */
    public String say(String name, Object... with) {
        return commands(bundle.getString(name)).formatted(with);
    }

    private String commands(String text) {
        return slash.equals("/") ? text : COMMAND.matcher(text).replaceAll(Matcher.quoteReplacement(slash));
    }

    /** A command as people give it. */
    String command(String name) {
        return slash + name;
    }
}
