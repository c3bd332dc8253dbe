package dev.parley.server.imports;

import java.io.IOException;
import java.sql.SQLException;

/** The data of another system. */
interface Source {
    /** What people call it, such as {@code pingu}. */
    String system();

    /**
     * Reads all of it, and changes nothing there. What comes first is there when others name it: projects, tools, skills, agents, and
     * sessions before those that hang below them.
     *
     * @throws MovingInException when it is no database of this system, or one of another version
     */
    void read(Destination to) throws SQLException, IOException, InterruptedException;
}
