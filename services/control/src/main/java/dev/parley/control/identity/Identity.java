package dev.parley.control.identity;

import org.jspecify.annotations.Nullable;

/**
 * Who somebody is at a provider.
 *
 * @param subject who, for ever, at this provider
 * @param login what they are called there, or null
 * @param email their address, or null where the provider does not say that it is verified
 */
public record Identity(
        String provider,
        String subject,
        @Nullable String login,
        @Nullable String email) {}
