package dev.parley.platform.config;

import dev.parley.platform.config.secret.Secrets;
import org.jspecify.annotations.Nullable;

/**
 * The SMTP server for outgoing e-mail.
 *
 * @param user for authentication, or null without it
 * @param password a {@linkplain Secrets#REFERENCE reference} to the password, or null
 * @param from sender address
 * @param security encryption of the connection
 */
public record MailConfig(
        String host,
        int port,
        @Nullable String user,
        @Nullable String password,
        String from,
        Security security) {

    /** Encryption of a connection. */
    public enum Security {
        /** No encryption. */
        NONE,
        /** Required upgrade by STARTTLS. */
        STARTTLS,
        /** TLS from the beginning. */
        TLS
    }
}
