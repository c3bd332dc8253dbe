package dev.parley.platform.personal;

import dev.parley.platform.http.Caller;
import java.io.IOException;
import java.util.List;

/** Personal data of one service, for exports. A bean exists in each process with the service's role. */
public interface PersonalData {
    /** The parts of all services; a process that has only some of the roles has only some of them. */
    List<String> PARTS = List.of("account", "links", "memory", "sessions", "usage", "workflows");

    /** Which of the {@link #PARTS} this is. */
    String part();

    /**
     * Writes what the service keeps of the caller, as the API shows it to them: no secrets, and nothing that they may not read.
     *
     * @throws IOException when the archive takes no more: nobody reads it, it takes too long, or the caller may no longer have it
     */
    void write(Caller caller, PersonalArchive archive) throws IOException;
}
