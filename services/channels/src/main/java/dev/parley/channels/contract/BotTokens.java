package dev.parley.channels.contract;

/** What stands behind the references in the settings of bots: of their tokens, and of what signs. */
@FunctionalInterface
public interface BotTokens {
    /**
     * The secret itself, as it is at this moment.
     *
     * @throws dev.parley.platform.config.Secrets.MissingException where there is none that can be used
     */
    String get(String reference);
}
