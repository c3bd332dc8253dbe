package dev.parley.channels.contract;

import java.util.Optional;

/** Users admitted to bots with pairing codes, besides those of the settings. */
public interface BotAudience {

    /** Whether an operator admitted this user. */
    boolean isAllowed(String bot, String user);

    /**
     * A pairing code for this user, valid for one hour.
     *
     * @return the code; empty where the user has one already or too many are pending
     */
    Optional<String> code(String bot, Sender person);

    /** The code was not sent: another one may be issued. */
    void withdraw(String bot, Sender person);
}
