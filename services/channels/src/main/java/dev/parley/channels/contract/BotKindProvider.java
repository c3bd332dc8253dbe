package dev.parley.channels.contract;

import java.util.ServiceLoader;

/** A kind of bots that {@link ServiceLoader} finds: it has no constructor parameters. */
@FunctionalInterface
public interface BotKindProvider {
    /** The kind, with the settings that it requires. */
    BotKind kind();
}
