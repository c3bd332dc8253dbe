package dev.parley.platform.personal;

import dev.parley.platform.http.Caller;
import java.io.IOException;
import java.util.List;

/** Personal data of one service, for exports. A bean exists in each process with the service's role. */
public interface PersonalData {
    /** The parts of all services; a process has those of its roles. */
    List<String> PARTS = List.of("account", "links", "memory", "sessions", "usage", "workflows");

    /** The name of this part, one of {@link #PARTS}. */
    String part();

    /**
     * Writes the data of the caller that the API shows them: no secrets, and nothing that they may not read.
     *
     * @throws IOException if the archive is closed: the client does not read it, it takes too long, or the caller was
     *     removed
     */
    void write(Caller caller, PersonalArchive archive) throws IOException;
}
