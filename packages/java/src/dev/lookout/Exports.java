package dev.lookout;

import dev.lookout.v1.DownloadExportRequest;
import dev.lookout.v1.GetExportRequest;
import dev.lookout.v1.GetExportResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;

/** Waits for exports and downloads their files. */
public final class Exports {
  private static final Duration ASK_EVERY = Duration.ofSeconds(1);
  private static final String SIGNATURE = "signature=";

  private final DataService data;

  Exports(DataService data) {
    this.data = data;
  }

  /**
   * Waits until an export is done.
   *
   * @throws LookoutException CONFLICT if it failed, was cancelled or has expired; TIMEOUT if it takes longer, and goes on
   */
  public GetExportResponse await(String exportId, Duration timeout) {
    long endNanos = System.nanoTime() + timeout.toNanos();
    while (true) {
      GetExportResponse export = data.getExport(GetExportRequest.newBuilder().setExportId(exportId).build());
      if (export.getStatus().equals("completed")) return export;
      if (!export.getStatus().equals("processing"))
        throw failure(LookoutException.CONFLICT, "The export is " + export.getStatus() + ": " + export.getReason());
      if (System.nanoTime() + ASK_EVERY.toNanos() > endNanos)
        throw failure(LookoutException.TIMEOUT, "The export was not done in time. It goes on: ask for it again");
      try {
        Thread.sleep(ASK_EVERY.toMillis());
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        throw LookoutException.cancelled("The thread was interrupted", interrupted);
      }
    }
  }

  /**
   * Writes the file of an export that is done, a ZIP archive, to a stream, and compares it with the checksum of the service.
   *
   * @throws LookoutException CONFLICT if it is not done, BAD_ANSWER if the file differs
   */
  public void download(String exportId, OutputStream to) throws IOException {
    GetExportResponse export = data.getExport(GetExportRequest.newBuilder().setExportId(exportId).build());
    if (!export.getStatus().equals("completed"))
      throw failure(LookoutException.CONFLICT, "The export is " + export.getStatus() + ": " + export.getReason());
    MessageDigest sum = sha256();
    var request = DownloadExportRequest.newBuilder().setExportId(exportId).setSignature(signatureOf(export));
    try (var parts = data.downloadExport(request.build())) {
      for (var part : parts) {
        byte[] bytes = part.getData().toByteArray();
        sum.update(bytes);
        to.write(bytes);
      }
    }
    if (!HexFormat.of().formatHex(sum.digest()).equals(export.getSha256()))
      throw failure(LookoutException.BAD_ANSWER, "The file of the export broke off or was changed. Download it again");
  }

  /**
   * Waits until an export is done, and writes its file. A file that is there already is replaced, and one that is not complete is removed.
   *
   * @throws LookoutException as {@link #await} and {@link #download}
   */
  public void save(String exportId, Path file, Duration timeout) throws IOException {
    await(exportId, timeout);
    try (OutputStream to = Files.newOutputStream(file)) {
      download(exportId, to);
    } catch (IOException | RuntimeException failed) {
      Files.deleteIfExists(file);
      throw failed;
    }
  }

  private static String signatureOf(GetExportResponse export) {
    for (String each : URI.create(export.getDownloadUrl()).getQuery().split("&"))
      if (each.startsWith(SIGNATURE)) return each.substring(SIGNATURE.length());
    throw failure(LookoutException.BAD_ANSWER, "The export has no address that can be read");
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException error) {
      throw new IllegalStateException(error);
    }
  }

  private static LookoutException failure(String code, String message) {
    return new LookoutException(code, message, List.of(), null, null, null);
  }
}
