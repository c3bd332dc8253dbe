package dev.parley.imports;

import dev.parley.server.client.CommandException;
import java.io.IOException;
import java.sql.SQLException;

/** The data of another system. */
interface ImportSource {
    /** The name of the system, such as {@code pingu}. */
    String system();

    /**
     * Reads all data, without changing it. Referenced objects come first: projects, tools, skills, agents, and parent
     * sessions before their children.
     *
     * @throws CommandException when it is not a database of this system, or of an unknown version
     */
    void read(Destination to) throws SQLException, IOException, InterruptedException;
}
