package dev.parley.channels.contract;

import dev.parley.platform.http.AddressGuard;
import java.net.URI;
import java.util.Map;

/** A bot as it is configured. Thread-safe. */
public interface ConfiguredBot {

    /** The bot's name, which is the {@link ConversationAddress#bot} of all its conversations. */
    String name();

    /** The bot's {@code settings} as configured by the operator; numbers and booleans are strings. */
    Map<String, String> settings();

    /** The base URL of the platform's API, or the URL of replies; empty text where the kind has none. */
    URI api();

    /** Which addresses {@link #api} may lead to: a bot that a project made reaches the public internet alone. */
    AddressGuard guard();

    /** Whether streaming of growing answers is enabled. */
    boolean streams();

    /**
     * The bot's current token. It can be rotated: read it for each use instead of caching it.
     *
     * @throws IllegalStateException if there is none; the message contains the reference, never the token
     */
    String token();

    /**
     * Resolves a further secret, whose reference ({@code env:NAME}, {@code file:PATH}, {@code vault:PATH#FIELD}) is the
     * value of this setting.
     *
     * @throws IllegalStateException if there is none; the message contains the reference, never the secret
     */
    String secret(String setting);
}
