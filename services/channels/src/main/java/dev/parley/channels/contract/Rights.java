package dev.parley.channels.contract;

import dev.parley.domain.access.Capability;
import dev.parley.platform.config.bot.BotConfig;
import java.util.Optional;

/** The current rights of users with a bot. */
public interface Rights {

    enum Decision {
        /** The user has the capability. */
        ALLOWED,
        /** The user was not admitted. */
        STRANGER,
        /** The user has no linked account, and the bot belongs to a project other than {@code default}. */
        UNLINKED,
        /** The user's account lacks the capability in the project. */
        FORBIDDEN,
        /** The user's account is not a member of the project, or is disabled. */
        OUTSIDE,
        /** The project is archived. */
        ARCHIVED
    }

    /** @param sender with the linked account, where there is one */
    record Verdict(Decision decision, Sender sender) {
        /** Whether the user has the capabilities. */
        public boolean allows() {
            return decision == Decision.ALLOWED;
        }
    }

    /** Decides whether a user has all these capabilities with a bot. */
    Verdict decide(BotConfig bot, Sender sender, Capability... required);

    /** The problem that prevents a bot from receiving: its project does not exist; empty for none. */
    Optional<String> problem(BotConfig bot);
}
