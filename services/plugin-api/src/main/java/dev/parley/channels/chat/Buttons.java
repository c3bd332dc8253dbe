package dev.parley.channels.chat;

import dev.parley.domain.protocol.Choice;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Supplier;
import okio.ByteString;

/**
 * Signed data of buttons, at most 64 bytes, the limit of every platform: the action, its value, and a signature that
 * binds both to the bot and the chat. The data of a press comes from the client, so only signed data is accepted.
 *
 * @see <a href="https://core.telegram.org/bots/api#inlinekeyboardbutton">callback_data</a>
 */
public final class Buttons {
    private static final int MAX_BYTES = 64;
    private static final int SIGNATURE = 12;
    private static final char SEPARATOR = '|';

    private final Supplier<ByteString> key;

    /** @param token token of the bot, from which the key is derived at each use */
    public Buttons(String bot, Supplier<String> token) {
        this.key = () ->
                ByteString.encodeUtf8("buttons " + bot + " " + token.get()).sha256();
    }

    /** The data of a choice. A value that is too long is replaced with its digest, see {@link #resolve}. */
    public String data(String chat, Choice choice) {
        String signed = choice.action() + SEPARATOR + choice.value();
        if (signed.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES - SIGNATURE) {
            signed = choice.action() + SEPARATOR + digest(choice.value());
        }
        return signature(chat, signed) + signed;
    }

    /** The choice, without its label; empty where Parley did not create the button for this chat. */
    public Optional<Choice> read(String chat, String data) {
        int separator = data.indexOf(SEPARATOR);
        if (data.length() <= SIGNATURE || separator < SIGNATURE) {
            return Optional.empty();
        }
        String signed = data.substring(SIGNATURE);
        byte[] signature = data.substring(0, SIGNATURE).getBytes(StandardCharsets.UTF_8);
        boolean isValid =
                MessageDigest.isEqual(signature, signature(chat, signed).getBytes(StandardCharsets.UTF_8));
        return isValid
                ? Optional.of(new Choice("", data.substring(SIGNATURE, separator), data.substring(separator + 1)))
                : Optional.empty();
    }

    /** The candidate that the value of a button stands for. */
    public static Optional<String> resolve(String value, Collection<String> among) {
        return among.stream()
                .filter(candidate ->
                        candidate.equals(value) || digest(candidate).equals(value))
                .findFirst();
    }

    private static String digest(String value) {
        return "#" + ByteString.encodeUtf8(value).sha256().base64Url().substring(0, 16);
    }

    /** 72 bits, and one forgery attempt per inbound event. */
    private String signature(String chat, String signed) {
        return ByteString.encodeUtf8(chat + " " + signed)
                .hmacSha256(key.get())
                .base64Url()
                .substring(0, SIGNATURE);
    }
}
