package dev.parley.channels.contract;

import dev.parley.domain.access.Capability;
import dev.parley.platform.config.BotConfig;
import java.util.Optional;

/** What users may do with a bot at this moment. */
public interface Rights {

    /** The decision. */
    enum Decision {
        /** They may. */
        ALLOWED,
        /** They were not admitted. */
        STRANGER,
        /** They have no linked account, and the bot is one of a project other than {@code default}. */
        UNLINKED,
        /** Their account lacks the capability in the project. */
        FORBIDDEN,
        /** Their account is not a member of the project, or is disabled. */
        OUTSIDE,
        /** The project is archived. */
        ARCHIVED
    }

    /** @param sender with the linked account, where there is one */
    record Verdict(Decision decision, Sender sender) {
        /** Whether they may. */
        public boolean allows() {
            return decision == Decision.ALLOWED;
        }
    }

    /** Whether a user has all these capabilities with a bot. */
    Verdict decide(BotConfig bot, Sender sender, Capability... required);

    /** Why a bot cannot receive now: its project does not exist. */
    Optional<String> problem(BotConfig bot);
}
