package dev.parley.platform.config;

import dev.parley.channels.contract.BotKind;
import java.util.ServiceLoader;

/** A kind of bots that {@link ServiceLoader} finds: it has no constructor parameters. */
public interface BotKindProvider {
    /** The kind, with the settings that it requires. */
    BotKind kind();

    /** Asks the platform about a bot. */
    BotCheck check();
}
