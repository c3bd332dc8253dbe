package dev.parley.channels.telegram;

import java.util.List;
import java.util.Locale;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/** What the bot itself says, in the language of whoever it talks to: the files {@code words*.properties}. */
final class BotTexts {
    /** Besides English, which is said to everybody else. */
    static final List<String> LANGUAGES = List.of("de", "es", "fr");

    private static final ResourceBundle.Control EXACT =
            ResourceBundle.Control.getNoFallbackControl(ResourceBundle.Control.FORMAT_PROPERTIES);

    private final ResourceBundle bundle;

    private BotTexts(Locale locale) {
        this.bundle = ResourceBundle.getBundle("dev.parley.channels.telegram.words", locale, EXACT);
    }

    /** @param language an IETF tag as Telegram gives it, or null */
    static BotTexts in(@Nullable String language) {
        String code = language == null ? "" : Locale.forLanguageTag(language).getLanguage();
        return new BotTexts(LANGUAGES.contains(code) ? Locale.of(code) : Locale.ROOT);
    }

    /** The words with this name, with these in them. */
    String say(String name, Object... with) {
        return bundle.getString(name).formatted(with);
    }
}
