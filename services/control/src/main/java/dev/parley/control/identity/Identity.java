package dev.parley.control.identity;

import org.jspecify.annotations.Nullable;

/**
 * A person's identity at an external provider.
 *
 * @param subject permanent id at the provider
 * @param login user name there, or null
 * @param email verified e-mail address, or null
 */
public record Identity(
        String provider,
        String subject,
        @Nullable String login,
        @Nullable String email) {}
