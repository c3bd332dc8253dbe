package dev.parley.channels.contract;

/** Resolves references to secrets in the settings of bots. */
@FunctionalInterface
public interface BotTokens {
    /**
     * The current secret.
     *
     * @throws dev.parley.platform.config.secret.Secrets.MissingException where it is missing or unusable
     */
    String get(String reference);
}
