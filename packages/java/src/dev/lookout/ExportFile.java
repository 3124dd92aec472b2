package dev.lookout;

import dev.lookout.v1.DownloadExportResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** A file over one download or several. */
final class ExportFile {
  private final OutputStream to;
  private final MessageDigest sum = sha256();
  private long written;
  private boolean hasBegun;
  // How many of the next bytes of this download are written already.
  private long known;

  ExportFile(OutputStream to) {
    this.to = to;
  }

  /** The next download begins. */
  void begin() {
    hasBegun = false;
  }

  /** Whether anything has come of this download. */
  boolean hasBegun() {
    return hasBegun;
  }

  /** How many bytes are written. */
  long written() {
    return written;
  }

  void take(DownloadExportResponse response) throws IOException {
    // An older service sends the whole file, and no offset.
    if (!hasBegun) known = written - (long) response.getOffset();
    hasBegun = true;
    if (known < 0) {
      String message = "The file of the export goes on behind what has come of it. Download it again";
      throw new LookoutException(LookoutException.BAD_ANSWER, message, List.of(), null, null, null);
    }
    byte[] part = response.getData().toByteArray();
    int skipped = (int) Math.min(part.length, known);
    known -= skipped;
    to.write(part, skipped, part.length - skipped);
    sum.update(part, skipped, part.length - skipped);
    written += part.length - skipped;
  }

  String sha256Hex() {
    return HexFormat.of().formatHex(sum.digest());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException error) {
      throw new IllegalStateException(error);
    }
  }
}
