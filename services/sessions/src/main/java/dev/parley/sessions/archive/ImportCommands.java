package dev.parley.sessions.archive;

import dev.parley.domain.Ids;
import dev.parley.domain.RecordKey;
import dev.parley.domain.protocol.CommandMeta;
import dev.parley.domain.protocol.ImportTarget;
import dev.parley.domain.protocol.origin.Actor;
import dev.parley.platform.gateway.CommandGateway;
import java.time.Instant;
import java.util.UUID;

/**
 * Properties that all commands of an import have in common.
 *
 * @param importId the same for each repetition of an import, so that repeated commands are recognised as duplicates
 * @param user the importing user
 */
record ImportCommands(CommandGateway gateway, ImportTarget target, UUID importId, String user) {
    static ImportCommands of(CommandGateway gateway, ImportTarget target, Manifest manifest, UUID user) {
        return new ImportCommands(gateway, target, Ids.of("import", manifest.id(), target.to()), user.toString());
    }

    /** The metadata of the command that sends a piece of a session or bank. */
    CommandMeta meta(RecordKey to, int piece) {
        UUID id = Ids.of("import", importId, to, piece);
        return new CommandMeta(id, target.host(), Instant.now(), user, gateway.outcomePartition(), null)
                .by(Actor.person(user));
    }
}
