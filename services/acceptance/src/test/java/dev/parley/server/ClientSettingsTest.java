package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.parley.platform.embedded.DatabaseLogin;
import dev.parley.platform.kafka.KafkaClients;
import dev.parley.server.ClientSettings.Form;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("B67")
class ClientSettingsTest {
    private static final DatabaseLogin DATABASE =
            new DatabaseLogin("jdbc:postgresql://127.0.0.1:5432/parley", "parley", "a+b'c");
    private static final KafkaClients EMBEDDED = KafkaClients.of(
            "127.0.0.1:9092",
            Map.of(
                    "security.protocol",
                    "SASL_PLAINTEXT",
                    "sasl.mechanism",
                    "PLAIN",
                    "sasl.jaas.config",
                    "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"parley\""
                            + " password=\"x-Y_1\";"));

    @Test
    void printsACommandOfKcat() {
        assertEquals(
                "kcat -b 127.0.0.1:9092 -X isolation.level=read_committed -X sasl.mechanism=PLAIN -X"
                        + " sasl.password=x-Y_1 -X sasl.username=parley -X security.protocol=SASL_PLAINTEXT",
                text(Form.KCAT, EMBEDDED));
        assertEquals(
                "kcat -b one:1,two:2 -X isolation.level=read_committed",
                text(Form.KCAT, KafkaClients.of("one:1,two:2")));
    }

    @Test
    void printsPropertiesOfJava() {
        assertEquals("""
            bootstrap.servers=127.0.0.1:9092
            isolation.level=read_committed
            sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="parley" password="x-Y_1";
            sasl.mechanism=PLAIN
            security.protocol=SASL_PLAINTEXT\
            """.replace("\n", System.lineSeparator()), text(Form.JAVA, EMBEDDED));
        assertEquals(text(Form.JAVA, EMBEDDED), text(Form.CONSOLE, EMBEDDED));
    }

    @Test
    void printsAnObjectOfNode() {
        assertEquals(
                "{\"brokers\":[\"127.0.0.1:9092\"],\"ssl\":false,\"sasl\":{\"mechanism\":\"plain\",\"username\":\"parley\",\"password\":\"x-Y_1\"}}",
                text(Form.NODE, EMBEDDED));
        assertEquals(
                "{\"brokers\":[\"one:1\",\"two:2\"],\"ssl\":true}",
                text(Form.NODE, KafkaClients.of("one:1,two:2", Map.of("security.protocol", "SSL"))));
    }

    @Test
    void printsLinesOfPostgres() {
        assertEquals(
                "PGOPTIONS='-c app.host=*' PGPASSWORD='a+b'\\''c' psql -U parley 'postgresql://127.0.0.1:5432/parley'",
                text(Form.PSQL, EMBEDDED));
        assertEquals(
                "jdbc:postgresql://127.0.0.1:5432/parley?user=parley&password=a%2Bb%27c&options=-c%20app.host%3D*",
                text(Form.JDBC, EMBEDDED));
    }

    private static String text(Form form, KafkaClients clients) {
        return ClientSettings.text(form, clients, DATABASE);
    }
}
