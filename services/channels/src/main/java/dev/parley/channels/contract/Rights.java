package dev.parley.channels.contract;

import dev.parley.domain.access.Capability;
import dev.parley.platform.config.BotConfig;
import java.util.Optional;

/** What people may do with a bot, as things are at this moment. */
public interface Rights {

    /** What stands in the way of somebody. */
    enum Answer {
        /** Nothing. */
        ALLOWED,
        /** Nobody let them in. */
        STRANGER,
        /** Nobody knows yet whose account they are, and the bot works for a project. */
        UNLINKED,
        /** Their account may not do this in the project. */
        FORBIDDEN,
        /** Their account is not in the project, or may do nothing any more. */
        OUTSIDE,
        /** The project is archived. */
        ARCHIVED
    }

    /** @param sender with the account whose they are, where that is known */
    record Verdict(Answer answer, Sender sender) {
        /** Whether nothing stands in the way. */
        public boolean allows() {
            return answer == Answer.ALLOWED;
        }
    }

    /** Whether somebody may do all of this with a bot. */
    Verdict judge(BotConfig bot, Sender sender, Capability... what);

    /** Why a bot cannot take anything in now, or nothing: its project is not there. */
    Optional<String> problem(BotConfig bot);
}
