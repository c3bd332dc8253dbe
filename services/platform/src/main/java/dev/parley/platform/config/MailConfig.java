package dev.parley.platform.config;

import org.jspecify.annotations.Nullable;

/**
 * The SMTP server for outgoing e-mail.
 *
 * @param user who we are for it, or null where it asks nobody
 * @param password a reference to what proves that, as {@link Secrets#REFERENCE} has it, or null
 * @param from whom mail is from
 * @param security how the connection is kept secret
 */
public record MailConfig(
        String host,
        int port,
        @Nullable String user,
        @Nullable String password,
        String from,
        Security security) {

    /** How a connection is kept secret. */
    public enum Security {
        /** It is not. */
        NONE,
        /** From the first command on that allows it; without it nothing is sent. */
        STARTTLS,
        /** From its beginning. */
        TLS
    }
}
