import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.TableResult;

/** Carries out the statements of a file in a Flink of this process, where there is no cluster with its SQL client. */
public final class RunSql {
    private RunSql() {}

    /** @param args the file, and the broker's address in place of the one that the file names */
    public static void main(String[] args) throws Exception {
        String sql = Files.readString(Path.of(args[0])).replace("127.0.0.1:9092", args[1]);
        TableEnvironment flink = TableEnvironment.create(EnvironmentSettings.inStreamingMode());
        for (String statement : sql.replaceAll("(?m)^--.*$", "").split(";\\s*(\\n|$)")) {
            if (statement.strip().startsWith("SET ")) {
                String[] setting = statement.strip().substring(4).split("'");
                flink.getConfig().set(setting[1], setting[3]);
            } else if (!statement.isBlank()) {
                TableResult result = flink.executeSql(statement);
                if (result.getJobClient().isPresent()) {
                    result.await(); // until it is killed: its topics have no end
                }
            }
        }
    }
}
