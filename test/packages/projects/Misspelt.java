// Does not compile: the test expects an error in each of the lines below.
import dev.lookout.QueryTypes;
import dev.lookout.v1.Query;
import dev.lookout.v1.QueryAnswer;
import dev.lookout.values.Interval;

class Misspelt {
  static {
    var page = QueryTypes.TOP_PAGES.rows(QueryAnswer.getDefaultInstance()).get(0);
    page.veiws(); // error
    String text = page.views(); // error
    QueryTypes.TOP_PAGSE.parameter(); // error
    Query.newBuilder().setPresett("today"); // error
    String interval = Interval._7_PARSECS; // error
  }
}
