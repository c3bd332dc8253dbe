package dev.parley.channels.chat;

import dev.parley.domain.protocol.Choice;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Supplier;
import okio.ByteString;

/**
 * What stands in a button, at most 64 bytes, which every platform takes: the action, its value, and a signature that binds both to the bot and the chat.
 * What comes back with a press is written by whoever sends the event, so it is believed only as far as its signature goes.
 *
 * @see <a href="https://core.telegram.org/bots/api#inlinekeyboardbutton">callback_data</a>
 */
public final class Buttons {
    private static final int MOST = 64;
    private static final int SIGNATURE = 12;
    private static final char BORDER = '|';

    private final Supplier<ByteString> key;

    /** @param token the bot's, from which the key follows; it is asked for at each use */
    public Buttons(String bot, Supplier<String> token) {
        this.key = () ->
                ByteString.encodeUtf8("buttons " + bot + " " + token.get()).sha256();
    }

    /** What the button of a choice carries. A value that is too long stands there by its digest, see {@link #meant}. */
    public String data(String chat, Choice choice) {
        String signed = choice.action() + BORDER + choice.value();
        if (signed.getBytes(StandardCharsets.UTF_8).length > MOST - SIGNATURE) {
            signed = choice.action() + BORDER + digest(choice.value());
        }
        return signature(chat, signed) + signed;
    }

    /** What was chosen; its label is unknown. Empty where Parley did not make that button for this chat. */
    public Optional<Choice> read(String chat, String data) {
        int border = data.indexOf(BORDER);
        if (data.length() <= SIGNATURE || border < SIGNATURE) {
            return Optional.empty();
        }
        String signed = data.substring(SIGNATURE);
        byte[] given = data.substring(0, SIGNATURE).getBytes(StandardCharsets.UTF_8);
        boolean own = MessageDigest.isEqual(given, signature(chat, signed).getBytes(StandardCharsets.UTF_8));
        return own
                ? Optional.of(new Choice("", data.substring(SIGNATURE, border), data.substring(border + 1)))
                : Optional.empty();
    }

    /** The one of these that a button's value stands for. */
    static Optional<String> meant(String value, Collection<String> among) {
        return among.stream()
                .filter(one -> one.equals(value) || digest(one).equals(value))
                .findFirst();
    }

    private static String digest(String value) {
        return "#" + ByteString.encodeUtf8(value).sha256().base64Url().substring(0, 16);
    }

    /** 72 bits: a forger has one try for each event that reaches the bot. */
    private String signature(String chat, String signed) {
        return ByteString.encodeUtf8(chat + " " + signed)
                .hmacSha256(key.get())
                .base64Url()
                .substring(0, SIGNATURE);
    }
}
