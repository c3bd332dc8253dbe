package dev.parley.channels.contract;

import java.util.Optional;

/** Who may talk to which bot, besides those that its settings name. */
public interface BotAudience {

    /** Whether an operator has let this person in. */
    boolean isAllowed(String bot, String user);

    /**
     * A code by which an operator can let this person in, within an hour.
     *
     * @return the code, or empty where this person has one already or too many others wait
     */
    Optional<String> code(String bot, Sender person);

    /** The person's code was not said: another one may be given. */
    void withdraw(String bot, Sender person);
}
